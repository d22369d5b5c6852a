"""Reading dice: from camera frames to faces, with an honest certainty."""
