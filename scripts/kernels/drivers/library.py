"""Drivers to come."""
