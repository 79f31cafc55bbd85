"""The built-in plugins, one package a source, each written as a third party would write it."""
