"""Where frames and artifacts live, one file per backend. Low and dumb: all meaning is above this room."""
