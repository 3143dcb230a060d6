import type { Currency } from "@gateway/kernel";

/** The external ledger of a currency: the source of its deposits and the destination of its transfers. */
export type NetworkCode = "bitcoin" | "ethereum";

/**
 * Amounts and fees are minor units of the currency. A call rejects when the network is unavailable, and is then
 * repeated.
 */
export interface Chain {
  /** Returns the same address for the same id, however often it is called. */
  createAddress(input: {
    accountId: string;
    addressId: string;
    walletId: string;
    network: NetworkCode;
    /** Only money in this currency is reported for the address. */
    currency: Currency;
  }): Promise<{ address: string }>;
  /** Sends a transfer once, however often it is called. */
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
 * A chain's report of money that came to our address. `dropped`: the transaction can never be mined, because its input
 * or nonce is spent. The `factId` names the block, so a transaction that is mined again after a reorganisation is
 * reported again.
 */
export type DepositFact = {
  type: "seen" | "confirmed" | "dropped";
  network: NetworkCode;
  transactionHash: string;
  /**
   * Names the output together with the hash: each output of a transaction has its own index, whatever its currency.
   */
  outputIndex: number;
  address: string;
  currency: Currency;
  amountMinor: number;
  confirmations: number;
  /**
   * Grows with the knowledge of the chain's node about this output. Facts may arrive in any order, and the greatest
   * number is the current state.
   */
  sequence: number;
};

/** A chain's report of our transfer. */
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
