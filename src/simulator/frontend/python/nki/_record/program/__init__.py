"""The Program that is being recorded: its columns and tables, source positions, order of instructions by name, and two cores merged."""
