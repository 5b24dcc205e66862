/** The eight kinds of items, which the first three bits tell. */
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

/** What upstream's decoder calls them. */
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

/** Tags that mean something to Kubernetes; the content of any other is taken as it is. */
export const tags = {
  timeText: 0,
  epochTime: 1,
  bignum: 2,
  negativeBignum: 3,
  laterBase64Url: 21,
  laterBase64: 22,
  laterBase16: 23,
} as const;

/** The tag 55799, which says nothing but that this is CBOR; everything upstream writes begins with it. */
export const selfDescribed: Uint8Array = Uint8Array.of(0xd9, 0xd9, 0xf7);

/** The byte that ends what has no length. */
export const breakByte = 0xff;
