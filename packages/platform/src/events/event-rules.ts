import type { EventType } from "./event-type.ts";

/** What the document and the network policy say, handed in by the process that knows them. */
export interface EventRules {
  /** Throws when the envelope does not fit the document's schema of its type. */
  checkEvent(type: EventType, envelope: object): void;
  /** `data.object` of the document's example of this type. */
  exampleObject(type: EventType): object;
  /** Why this URL may not receive events, in the words of a problem's detail, or null when it may. */
  findWebhookUrlProblem(url: string): Promise<string | null>;
}

/** For processes that neither record events nor register webhooks: each rule throws. */
export const noEventRules: EventRules = {
  checkEvent: refuse,
  exampleObject: refuse,
  findWebhookUrlProblem: refuse,
};

function refuse(): never {
  throw new Error("This process was given no event rules, so it cannot record events or register webhooks.");
}
