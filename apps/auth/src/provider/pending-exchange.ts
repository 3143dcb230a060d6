import type { ExchangeFacts, NamedRecord, NewRecord, ProviderRecord } from "@gateway/platform/auth";
import type { Services } from "@gateway/platform/compose/may-call";

/** A write that the library requests in addition to the exchange itself: the end of a family. */
export type OtherWrite = (services: Services) => Promise<void>;

export type PendingExchange = ReturnType<typeof createPendingExchange>;

/** An exchange in flight: reads come from one prior read, and writes wait until it has decided. */
export function createPendingExchange(named: NamedRecord, facts: ExchangeFacts | null) {
  let used: NamedRecord | null = null;
  const saved: NewRecord[] = [];
  const others: OtherWrite[] = [];
  return {
    holder: facts?.holder ?? null,
    /** Undefined for a record that is not part of the exchange. */
    find: ({ model, name }: NamedRecord): ProviderRecord | null | undefined => {
      if (model === named.model && name === named.name) {
        return facts?.record ?? null;
      }
      return model === "Grant" && name === facts?.grantId ? facts.grant : undefined;
    },
    use: (record: NamedRecord): void => {
      used = record;
    },
    save: (record: NewRecord): void => {
      saved.push(record);
    },
    later: (write: OtherWrite): void => {
      others.push(write);
    },
    /** The writes that the exchange has decided on. */
    outcome: () => ({ used, saved, others }),
  };
}
