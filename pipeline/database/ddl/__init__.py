"""DDL files as a source: from CREATE, ALTER and COMMENT statements to a catalogue."""
