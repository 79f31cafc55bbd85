"""What any metric is: plugins, carriers of text, checks of arguments, statistics, levels and results."""
