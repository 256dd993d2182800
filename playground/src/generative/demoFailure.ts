/** Thrown on purpose, to show what becomes of a card that throws: nobody needs to hear of it. */
export class DemoFailure extends Error {}
