// Constructors, destructors and methods of the device whose definitions stand outside of their classes.
#include <cstdio>

class Fraction {
 public:
  __host__ __device__ explicit Fraction(int numerator);
  __host__ __device__ Fraction(int numerator, int denominator);
  __host__ __device__ Fraction(const Fraction& other);
  __device__ Fraction &operator+=(const Fraction& other);
  __host__ __device__ int value() const;

 private:
  int numerator_, denominator_;
};

__host__ __device__ Fraction::Fraction(int numerator) : Fraction(numerator, 1) {}
__host__ __device__ Fraction::Fraction(int numerator, int denominator) : numerator_(numerator), denominator_(denominator) {}
__host__ __device__
Fraction::Fraction(const Fraction& other) = default;
__device__ Fraction &Fraction::operator+=(const Fraction& other) {
  numerator_ = numerator_ * other.denominator_ + other.numerator_ * denominator_;
  denominator_ *= other.denominator_;
  return *this;
}
__host__ __device__ int Fraction::value() const { return numerator_ / denominator_; }

// The block meets where an object's life ends.
struct MeetsAtEnd {
  int* shared;
  __device__ MeetsAtEnd(int* place, int value);
  __device__ ~MeetsAtEnd();
};
__device__ MeetsAtEnd::MeetsAtEnd(int* place, int value) : shared(place) { shared[threadIdx.x] = value; } __device__ MeetsAtEnd::~MeetsAtEnd() { __syncthreads(); }

struct HoldsOne {
  MeetsAtEnd member;
};

struct Shape {
  int side;
  __device__ Shape(int s);
  __device__ virtual ~Shape();
  __device__ virtual int area() const;
};
struct Box : Shape {
  __device__ Box(int s);
  __device__ int area() const override;
};
__device__ Shape::Shape(int s) : side(s) {}
__device__ Shape::~Shape() { side = 0; }
__device__ int Shape::area() const { return side; }
__device__ Box::Box(int s) : Shape(s + 1) {}
__device__ int Box::area() const { return side * side; }

namespace {
template <class T>
struct Holder {
  T value;
  __device__ Holder(T v);
};
template <class T>
__device__ Holder<T>::Holder(T v) : value(v + 1) {}
template <>
__device__ Holder<float>::Holder(float v) : value(v + 2) {}

struct Hidden {
  int value;
  __device__ Hidden(int v);
};
__device__ Hidden::Hidden(int v) : value(3 * v) {}
}  // namespace

__global__ void add(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    Fraction sum(i);
    sum += Fraction(2 * i, 2);
    const Fraction copy = sum;
    out[i] = copy.value() + Hidden(i).value + Holder<int>(i).value + static_cast<int>(Holder<float>(i).value);
  }
}

__global__ void reversed(int* out) {
  __shared__ int places[64];
  { HoldsOne one{{places, static_cast<int>(10 * threadIdx.x)}}; }
  out[threadIdx.x] = places[63 - threadIdx.x];
}

__global__ void areas(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    Box box(i);
    Shape plain(i);
    const Shape* const shapes[] = {&box, &plain};
    out[i] = shapes[i % 2]->area();
  }
}

int main() {
  const int n = 1000;
  int *out, wrong = 0;
  static int got[n];
  cudaMalloc(&out, n * sizeof(int));
  add<<<8, 128>>>(out, n);
  cudaMemcpy(got, out, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) {
    wrong += got[i] != 2 * i + 3 * i + i + 1 + i + 2;
  }
  reversed<<<1, 64>>>(out);
  cudaMemcpy(got, out, 64 * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; ++i) {
    wrong += got[i] != 10 * (63 - i);
  }
  areas<<<7, 160>>>(out, n);
  cudaMemcpy(got, out, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) {
    wrong += got[i] != (i % 2 == 0 ? (i + 1) * (i + 1) : i);
  }
  wrong += Fraction(7, 2).value() != 3;
  cudaFree(out);
  std::printf("%d wrong: %s\n", wrong, wrong == 0 && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
  return wrong;
}
