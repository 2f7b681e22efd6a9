"""Drivers of published kernels, one file per origin. Importing a file registers its drivers."""
