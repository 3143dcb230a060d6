/** An address of Bitcoin's test network without an owner, the destination of transfers in tests. */
export const destinationAddress = "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx";
