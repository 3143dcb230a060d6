/** Whether the version that the baseline belongs to, 0.2.0, is released. From then on no digest below may change. */
export const isReleased = false;

/** The digest of each migration: of all that it says to Postgres. New ones are added at the end. */
export const digests: Readonly<Record<string, string>> = {
  "0001_database": "045ede8731a1cb8a",
  "0002_auth": "4da3a34e6e85ed8d",
  "0003_accounts": "444a5dbe6a6d7987",
  "0004_gateway": "175e6e00e34f4ba2",
  "0005_console": "595c0cb285cd7e31",
  "0006_audit": "d86a4113436f9ecc",
  "0007_events": "1ad6d5b6ed53899c",
  "0008_mails": "9acfaa8e04f640eb",
  "0009_ledger": "074a6693a40b1ff5",
  "0010_work": "e8e4aabc171fa5ba",
  "0011_orchestra": "fa14d16f9421d1ef",
  "0012_identity": "1b3fe789671b94c1",
  "0013_custody": "f063a6345bb76797",
  "0014_market_data": "edbfa06ec5fd8fad",
  "0015_oracle": "8c26553593a3abbb",
  "0016_execution": "51fcc73cc2366007",
  "0017_portfolio": "735a59ace955f806",
  "0018_request_log": "f32e4a17ec8317fe",
};
