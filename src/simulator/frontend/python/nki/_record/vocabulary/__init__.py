"""What everything else speaks of and that speaks of nothing else: errors, the instruction table, dtypes, enums, registers and scalars."""
