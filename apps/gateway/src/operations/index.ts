import { createApiKey } from "./accounts/create-api-key.ts";
import { getAccount } from "./accounts/get-account.ts";
import { getApiKey } from "./accounts/get-api-key.ts";
import { listApiKeys } from "./accounts/list-api-keys.ts";
import { revokeApiKey } from "./accounts/revoke-api-key.ts";
import { rollApiKey } from "./accounts/roll-api-key.ts";
import { createWallet } from "./ledger/create-wallet.ts";
import { getWallet } from "./ledger/get-wallet.ts";
import { listWallets } from "./ledger/list-wallets.ts";
import type { OperationTable } from "./operation.ts";

/** Every operation of the document, and nothing else: one missing or one too many does not compile. */
export const operationTable = {
  createApiKey,
  createWallet,
  getAccount,
  getApiKey,
  getWallet,
  listApiKeys,
  listWallets,
  revokeApiKey,
  rollApiKey,
} satisfies OperationTable;
