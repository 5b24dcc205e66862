/** The eight kinds of items, in the first three bits. */
export const majorType = {
  positiveInteger: 0,
  negativeInteger: 1,
  byteString: 2,
  textString: 3,
  array: 4,
  map: 5,
  tag: 6,
  primitive: 7,
} as const;

/** Their names in upstream's decoder. */
export const majorTypeNames: readonly string[] = [
  "positive integer",
  "negative integer",
  "byte string",
  "UTF-8 text string",
  "array",
  "map",
  "tag",
  "primitives",
];

/** Values of the last five bits of a first byte. */
export const additional = {
  false: 20,
  true: 21,
  null: 22,
  oneByte: 24,
  float16: 25,
  float32: 26,
  float64: 27,
  indefinite: 31,
} as const;

/** Tags with a meaning in Kubernetes. All other tags are ignored. */
export const tags = {
  timeText: 0,
  epochTime: 1,
  bignum: 2,
  negativeBignum: 3,
  laterBase64Url: 21,
  laterBase64: 22,
  laterBase16: 23,
} as const;

/** The tag 55799 (self-described CBOR). All output of upstream starts with it. */
export const selfDescribed: Uint8Array = Uint8Array.of(0xd9, 0xd9, 0xf7);

/** The byte that ends an item of indefinite length. */
export const breakByte = 0xff;
