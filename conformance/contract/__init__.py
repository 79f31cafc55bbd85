"""What every component must keep, whatever it computes, tried on input that hypothesis generates."""
