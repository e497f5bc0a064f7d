"""The shell: sessions, seats, ledgers, drawn dice and the store. Everything with an effect."""
