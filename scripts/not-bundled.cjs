// Stands in the bundle for libphonenumber-js: class-validator loads its 375 kB for a decorator that no setting uses.
