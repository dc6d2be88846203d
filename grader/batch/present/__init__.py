"""The class for people: gradebook, pages, leaderboard, progress. Nothing is graded here."""
