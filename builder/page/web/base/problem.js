// What a visitor is told of: everything else that is thrown is a mistake of the page.

export class Problem extends Error {
  /**
   * @param {string} message
   * @param {string} [code] a name of STATUS: what an application looks at
   */
  constructor(message, code = "io") {
    super(message);
    this.code = code;
  }
}

export class TooShort extends Problem {
  /** @param {string} message */
  constructor(message) {
    super(message, "textTooShort");
  }
}

/** The time that was given is over. */
export class TooLate extends Problem {
  constructor() {
    super("", "interrupted");
  }
}
