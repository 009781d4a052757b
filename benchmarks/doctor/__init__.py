"""Trainings with known faults, and what the doctor says about them."""
