// Stands in the bundle for libphonenumber-js, 375 kB that class-validator loads for a decorator that no setting uses, and for
// the messages of Zod in other languages, 300 kB.
