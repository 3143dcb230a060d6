/** A currency's ledger outside: where its deposits come from and its transfers go. */
export type NetworkCode = "bitcoin" | "ethereum";

/** Amounts and fees are minor units of the currency. Rejects when the network cannot be asked now; then it is asked again. */
export interface Chain {
  /** The same address for the same id, however often it is asked. */
  createAddress(input: {
    accountId: string;
    addressId: string;
    walletId: string;
    network: NetworkCode;
  }): Promise<{ address: string }>;
  /** Sends once for the same transfer, however often it is asked. */
  submit(input: {
    accountId: string;
    transferId: string;
    network: NetworkCode;
    address: string;
    amountMinor: number;
    feeMinor: number;
  }): Promise<{ transactionHash: string }>;
}

/**
 * What a chain tells of money that came to an address of ours. `dropped`: the transaction can never be mined, for its input or nonce is
 * spent.
 */
export type DepositFact = {
  type: "seen" | "confirmed" | "dropped";
  network: NetworkCode;
  transactionHash: string;
  outputIndex: number;
  address: string;
  amountMinor: number;
  confirmations: number;
};

/** What a chain tells of a transfer of ours. */
export type TransferFact =
  | {
      type: "submitted" | "confirmed";
      transferId: string;
      transactionHash: string;
      amountMinor: number;
      confirmations: number;
    }
  | { type: "refused" | "dropped"; transferId: string; transactionHash: string | null };

export type ChainFact = DepositFact | TransferFact;
