/* The code of the Acme device, which its compiler writes and it runs: pure C.
 *
 * The device has nested loops with address generators and one stack machine. A
 * kernel is a list of commands, each a loop nest: for every point it loads
 * elements, computes on a stack of floats, and stores one element.
 *
 *   image    "ACME", then kernels; an entry's offset is where its words start
 *   kernel   number of words, number of temporaries, their sizes (below),
 *            number of commands, commands
 *   size     ACME_KNOWN value | ACME_DIM buffer dim | ACME_SCALAR number
 *   command  number of loops n, their sizes, number of operands, operands, the
 *            number of words of the program, the program. The last operand is
 *            the result; where it does not depend on a loop, the loop reduces.
 *   operand  memory (a buffer of the launch, or behind these a temporary),
 *            rank, the rank sizes, then for each dim n + 1 numbers: the factor
 *            of each loop and what is added to it. */
#ifndef ACME_CODE_H
#define ACME_CODE_H

enum acme_size { ACME_KNOWN, ACME_DIM, ACME_SCALAR };

/* Words of a program. The stack's top is t, what is below it s. */
enum acme_op {
  ACME_OPERAND, /* operand: push its element here; the result's is the sum */
  ACME_CONST,   /* bits of a float: push */
  ACME_ADD,     /* s + t; binary ones pop two and push one */
  ACME_SUB,
  ACME_MUL,
  ACME_DIV,
  ACME_MAX,
  ACME_MIN,
  ACME_NEG, /* -t */
  ACME_EXP,
  ACME_TANH,
  ACME_SQRT,
  ACME_STORE /* the end: pop into the result */
};

#endif
