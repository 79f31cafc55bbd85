"""Every pair of some texts: matrices of scores, and what follows from them."""
