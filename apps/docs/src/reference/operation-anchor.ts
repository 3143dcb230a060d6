import { slugOf } from "../markdown/headings.ts";
import type { Operation } from "./api-document.ts";

/**
 * Where Redocly's page shows an operation: `#/wallets/createwallet`. It knows `#operation/createWallet` as well, and shows "no page"
 * until it has loaded.
 */
export function operationAnchor({ tags = [], operationId }: Operation): string {
  return `#/${slugOf(tags[0] ?? "")}/${operationId.toLowerCase()}`;
}
