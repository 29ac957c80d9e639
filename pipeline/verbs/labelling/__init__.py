"""First labels: what systems retrieved goes out on a sheet, people's labels come back."""
