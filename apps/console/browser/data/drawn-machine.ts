/** The nouns of the document that have states. */
export type MachineName =
  | "Wallet"
  | "KycVerification"
  | "Payment"
  | "CustodyDeposit"
  | "CustodyTransfer"
  | "CustodyApproval"
  | "Order";

/** A state machine of the document, as far as it is drawn. */
export type DrawnMachine = {
  readonly states: readonly string[];
  readonly final: readonly string[];
  readonly transitions: readonly {
    readonly name: string;
    /** Null: it makes the thing. */
    readonly from: readonly string[] | null;
    readonly to: string;
    /** The operations that cause it. */
    readonly by: readonly string[];
    /** The causes of the transition, in words: `with “Cancel a payment”`, `after 24 hours`. */
    readonly cause: string;
  }[];
};
