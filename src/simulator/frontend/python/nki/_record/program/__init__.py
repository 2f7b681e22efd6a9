"""The Program being recorded: its columns and tables, where instructions come from, their order by name, two cores merged."""
