import { idPrefixes } from "virtual:id-prefixes";

const screens: Readonly<Record<string, string>> = {
  ApiKey: "/keys",
  Application: "/applications",
  Counterparty: "/counterparties",
  CustodyApproval: "/inbox?queue=approvals",
  CustodyTransfer: "/transfers",
  Delivery: "/deliveries",
  Event: "/events",
  KycVerification: "/inbox?queue=kyc",
  LedgerAccount: "/ledger",
  LedgerTransaction: "/ledger?view=transactions",
  Order: "/orders",
  Payment: "/payments",
  Person: "/people",
  Request: "/logs",
  Wallet: "/wallets",
  Webhook: "/webhooks",
};

export function findById(text: string): { noun: string; path: string } | null {
  const [id, prefix = ""] = /^([a-z]{3})_[0-7][0-9a-hjkmnp-tv-z]{25}$/.exec(text.trim())?.slice(0, 2) ?? [];
  const noun = idPrefixes[prefix];
  const screen = noun === undefined ? undefined : screens[noun];
  if (id === undefined || noun === undefined || screen === undefined) {
    return null;
  }
  return { noun, path: `${screen}${screen.includes("?") ? "&" : "?"}open=${text.trim()}` };
}
