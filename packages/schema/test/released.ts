/** Whether the version that the baseline belongs to, 0.2.0, is released. After that no digest below may change. */
export const isReleased = false;

/** Digests of all statements that each migration sends to Postgres. `npm run generate` adds those of new migrations. */
export const digests: Readonly<Record<string, string>> = {
  "0001_database": "4d0c2680abb1ccf7",
  "0002_auth": "49e0cccded441285",
  "0003_accounts": "e24ad17b052c6ff9",
  "0004_gateway": "861101407a23a844",
  "0005_console": "595c0cb285cd7e31",
  "0006_audit": "d86a4113436f9ecc",
  "0007_events": "a6c3bc3ba54497fa",
  "0008_mails": "30885f14d4f7bd6e",
  "0009_ledger": "ef889c2534d4da5b",
  "0010_work": "e8e4aabc171fa5ba",
  "0011_orchestra": "4f5dba31b74b2684",
  "0012_identity": "17be2c401a2142e5",
  "0013_custody": "b82d5889378398c1",
  "0014_market_data": "ad46bc22da3ba361",
  "0015_oracle": "ae6e728682004a42",
  "0016_execution": "b1ca6c6e9e34861e",
  "0017_portfolio": "57c2741b8260cf1a",
  "0018_request_log": "d09d4fa9e150aa37",
  "0019_readings": "f71e27a8f34eb574",
};
