"""Why do two NDCGs differ (chapter 25): real rankings under every two tools, taken apart by cause and identified."""
