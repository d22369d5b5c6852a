"""What runs on the tray controller, and the wire that both sides share."""
