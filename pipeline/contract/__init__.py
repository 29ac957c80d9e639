"""What everything else agrees on: errors, tables, records, ports, file habits."""

CONTRACT_VERSION = "1.0"
"""Version of the scoring rules; numbers under different versions are not comparable."""

SCHEMA_VERSION = "1.0"
"""Version of the manifest layout (`pipeline/manifest/*.schema.json`)."""
