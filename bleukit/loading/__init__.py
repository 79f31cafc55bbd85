"""From a variant to components that are ready to use: plugins, names, options, signatures."""
