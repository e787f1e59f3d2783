"""The command line, one file a verb. stdout is data, stderr is talk."""
