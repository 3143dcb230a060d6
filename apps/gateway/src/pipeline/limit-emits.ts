import type { OperationPolicy } from "@gateway/contract";
import type { Events } from "@gateway/platform";

/** Lets an operation record the events that the document says it emits, and no other: the event catalogue is made from there. */
export function limitEmits(events: Events, { operationId, emits }: OperationPolicy): Events {
  return {
    ...events,
    record: async (input) => {
      if (!emits.includes(input.type)) {
        throw new Error(`${operationId} recorded ${input.type}, which its x-emits does not name.`);
      }
      return events.record(input);
    },
  };
}
