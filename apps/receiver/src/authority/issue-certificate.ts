import "reflect-metadata";
import { AsnConvert } from "@peculiar/asn1-schema";
import {
  GeneralName,
  GeneralSubtree,
  GeneralSubtrees,
  id_ce_nameConstraints,
  NameConstraints,
} from "@peculiar/asn1-x509";
import * as x509 from "@peculiar/x509";

/** Both in PEM; the key is PKCS #8. */
export type IssuedCertificate = { certificate: string; key: string };

/** The names that an authority may certify, or that a certificate has. */
export type CertificateNames = { dns: readonly string[]; ip: readonly string[] };

export type Validity = { notBefore: Date; notAfter: Date };

/**
 * A certificate authority of its own (RFC 5280), with an ECDSA P-256 key. `permitted` are its name constraints. If its
 * key is stolen, it certifies no other address, even for those who trust it. Networks are written 127.0.0.0/8.
 */
export async function issueAuthority(options: {
  commonName: string;
  permitted: CertificateNames;
  validity: Validity;
}): Promise<IssuedCertificate> {
  const keys = await generateKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [options.commonName] }],
    keys,
    signingAlgorithm,
    ...options.validity,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      constrainNames(options.permitted),
    ],
  });
  return present(certificate, keys);
}

/** A server's certificate for these names, signed by the authority. */
export async function issueServerCertificate(options: {
  authority: IssuedCertificate;
  names: CertificateNames;
  validity: Validity;
}): Promise<IssuedCertificate> {
  const keys = await generateKeys();
  const authority = new x509.X509Certificate(options.authority.certificate);
  const names = [
    ...options.names.dns.map((value) => ({ type: "dns" as const, value })),
    ...options.names.ip.map((value) => ({ type: "ip" as const, value })),
  ];
  const certificate = await x509.X509CertificateGenerator.create({
    subject: [{ CN: [names[0]?.value ?? "server"] }],
    issuer: authority.subjectName,
    publicKey: keys.publicKey,
    signingKey: await importKey(options.authority.key),
    signingAlgorithm,
    ...options.validity,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(names),
      await x509.AuthorityKeyIdentifierExtension.create(authority.publicKey),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return present(certificate, keys);
}

const keyAlgorithm = { name: "ECDSA", namedCurve: "P-256" } as const;
const signingAlgorithm = { name: "ECDSA", hash: "SHA-256" } as const;

type KeyPair = Awaited<ReturnType<typeof generateKeys>>;

function generateKeys() {
  return crypto.subtle.generateKey(keyAlgorithm, true, ["sign", "verify"]);
}

function importKey(key: string) {
  const [bytes] = x509.PemConverter.decode(key);
  if (!bytes) {
    throw new Error("The key of the authority is not in PEM.");
  }
  return crypto.subtle.importKey("pkcs8", bytes, keyAlgorithm, false, ["sign"]);
}

async function present(certificate: x509.X509Certificate, { privateKey }: KeyPair): Promise<IssuedCertificate> {
  const key = await crypto.subtle.exportKey("pkcs8", privateKey);
  return {
    certificate: `${certificate.toString("pem")}\n`,
    key: `${x509.PemConverter.encode(key, "PRIVATE KEY")}\n`,
  };
}

function constrainNames(permitted: CertificateNames): x509.Extension {
  const names = [
    ...permitted.dns.map((dNSName) => new GeneralName({ dNSName })),
    ...permitted.ip.map((iPAddress) => new GeneralName({ iPAddress })),
  ];
  const permittedSubtrees = new GeneralSubtrees(names.map((base) => new GeneralSubtree({ base })));
  const value = AsnConvert.serialize(new NameConstraints({ permittedSubtrees }));
  return new x509.Extension(id_ce_nameConstraints, true, value);
}
