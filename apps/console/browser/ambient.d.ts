declare module "*.css";

/** Parts of the contract that the build cuts out (src/build/contract-modules.ts); `data/` types them. */
declare module "virtual:operations" {
  export const operations: unknown;
}

declare module "virtual:state-machines" {
  export const stateMachines: unknown;
}

declare module "virtual:events" {
  export const eventExamples: Readonly<Record<string, unknown>>;
}

declare module "virtual:id-prefixes" {
  /** The nouns by the first letters of their ids: `wal: "Wallet"`. */
  export const idPrefixes: Readonly<Record<string, string>>;
}

declare module "virtual:error-codes" {
  export const errorCodes: readonly string[];
}

declare module "virtual:listed-values" {
  /** The values by the name of their schema. */
  export const listedValues: Readonly<Record<string, readonly string[]>>;
}

declare module "virtual:operation-forms" {
  export const formLoaders: Readonly<Record<string, () => Promise<{ forms: unknown }>>>;
}
