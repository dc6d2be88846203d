"""What people read about a class: gradebook, pages, leaderboard, progress. Nothing is graded here."""
