import type { Currency } from "@gateway/kernel";

/** A currency's ledger outside: where its deposits come from and its transfers go. */
export type NetworkCode = "bitcoin" | "ethereum";

/**
 * Amounts and fees are minor units of the currency. Rejects when the network cannot be asked now; then it is asked
 * again.
 */
export interface Chain {
  /** The same address for the same id, however often it is asked. */
  createAddress(input: {
    accountId: string;
    addressId: string;
    walletId: string;
    network: NetworkCode;
    /** Only what comes to the address in this currency is told. */
    currency: Currency;
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
 * What a chain tells of money that came to an address of ours. `dropped`: the transaction can never be mined, for its
 * input or nonce is spent. Its `factId` names the block, so that what is mined again after a reorganisation is told
 * again.
 */
export type DepositFact = {
  type: "seen" | "confirmed" | "dropped";
  network: NetworkCode;
  transactionHash: string;
  /** With the hash it names the output: no other of the transaction has it, in whatever currency. */
  outputIndex: number;
  address: string;
  currency: Currency;
  amountMinor: number;
  confirmations: number;
  /**
   * Grows with what the chain's node comes to know of this output: facts may be told in any order, and the greatest is
   * how it is.
   */
  sequence: number;
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
