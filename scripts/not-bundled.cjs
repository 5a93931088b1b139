// Replaces libphonenumber-js in the bundle (375 kB, which class-validator loads for an unused decorator), and the
// messages of Zod in other languages (300 kB).
