"""For those who write cases: drafts, explanations, and which changes no case notices."""
