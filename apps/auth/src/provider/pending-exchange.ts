import type { ExchangeFacts, NamedRecord, NewRecord, ProviderRecord, TokenHolder } from "@gateway/platform/auth";
import type { Services } from "@gateway/platform/compose/may-call";

/** A write that the library requests in addition to the exchange itself: the end of a family. */
export type OtherWrite = (services: Services) => Promise<void>;

/** An exchange in flight: reads come from one prior read, and writes wait until it has decided. */
export interface PendingExchange {
  holder: TokenHolder | null;
  /** Undefined for a record that is not part of the exchange. */
  find(named: NamedRecord): ProviderRecord | null | undefined;
  use(named: NamedRecord): void;
  save(record: NewRecord): void;
  later(write: OtherWrite): void;
  /** The writes that the exchange has decided on. */
  outcome(): { used: NamedRecord | null; saved: readonly NewRecord[]; others: readonly OtherWrite[] };
}

export function createPendingExchange(named: NamedRecord, facts: ExchangeFacts | null): PendingExchange {
  let used: NamedRecord | null = null;
  const saved: NewRecord[] = [];
  const others: OtherWrite[] = [];
  return {
    holder: facts?.holder ?? null,
    find: ({ model, name }) => {
      if (model === named.model && name === named.name) {
        return facts?.record ?? null;
      }
      return model === "Grant" && name === facts?.grantId ? facts.grant : undefined;
    },
    use: (record) => {
      used = record;
    },
    save: (record) => {
      saved.push(record);
    },
    later: (write) => {
      others.push(write);
    },
    outcome: () => ({ used, saved, others }),
  };
}
