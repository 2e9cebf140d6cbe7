// What a visitor is told of: everything else that is thrown is a mistake of the page.

export class Problem extends Error {}

export class TooShort extends Problem {}

/** The time that was given is over. */
export class TooLate extends Problem {}
