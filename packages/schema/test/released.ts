/** Whether the version that the baseline belongs to, 0.2.0, is released. From then on no digest below may change. */
export const isReleased = false;

/** The digest of each migration: of all that it says to Postgres. New ones are added at the end. */
export const digests: Readonly<Record<string, string>> = {
  "0001_database": "4d0c2680abb1ccf7",
  "0002_auth": "49e0cccded441285",
  "0003_accounts": "1f6d09ff0041cb79",
  "0004_gateway": "175e6e00e34f4ba2",
  "0005_console": "595c0cb285cd7e31",
  "0006_audit": "d86a4113436f9ecc",
  "0007_events": "5d798c67d2a49f8b",
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
  "0018_request_log": "d09d4fa9e150aa37",
};
