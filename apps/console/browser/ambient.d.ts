declare module "*.css";

/** Parts of the contract that the build cuts out (src/build/contract-modules.ts); `data/` types them. */
declare module "virtual:operations" {
  export const operations: unknown;
}

declare module "virtual:state-machines" {
  export const stateMachines: unknown;
}

declare module "virtual:events" {
  /** The types of events, and the document's example of each. */
  export const eventExamples: Readonly<Record<string, unknown>>;
}

declare module "virtual:id-prefixes" {
  /** The nouns by the first letters of their ids: `wal: "Wallet"`. */
  export const idPrefixes: Readonly<Record<string, string>>;
}

declare module "virtual:error-codes" {
  /** Every code that a refusal can have. */
  export const errorCodes: readonly string[];
}

declare module "virtual:operation-forms" {
  /** The forms of a service's operations, loaded when they are wanted. */
  export const formLoaders: Readonly<Record<string, () => Promise<{ forms: unknown }>>>;
}
