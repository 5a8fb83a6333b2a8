"""The command line: arguments, files, printing, exit codes. One module a verb."""
