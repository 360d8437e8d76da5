// SPDX-License-Identifier: Apache-2.0
// A node of another vendor: Fast DDS, the default middleware of ROS 2, with ROS's names of topics
// and types, and CDR read by hand. It commands the joints to the pose of the first state, counts
// the messages of each topic and checks that no reliable one is missing; then it pauses the world,
// resets it and lets it run.
// usage: peer SECONDS STEP [hold]    of the world, and in s; without hold it commands nothing
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/DataReaderListener.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/TopicDataType.hpp>
#include <mutex>
#include <string>
#include <thread>
#include <vector>
using namespace eprosima::fastdds::dds;
using Payload = eprosima::fastrtps::rtps::SerializedPayload_t;
using Handle = eprosima::fastrtps::rtps::InstanceHandle_t;
typedef std::vector<unsigned char> Bytes;

enum { BYTES_MAX = 1 << 16 };

struct Raw : TopicDataType {
  explicit Raw(const char* name) {
    setName(name);
    m_typeSize = BYTES_MAX;
    m_isGetKeyDefined = false;
    auto_fill_type_information(false);
    auto_fill_type_object(false);
  }
  bool serialize(void* data, Payload* p) override {
    const Bytes* b = static_cast<Bytes*>(data);
    p->length = static_cast<uint32_t>(b->size());
    p->encapsulation = CDR_LE;
    std::memcpy(p->data, b->data(), b->size());
    return true;
  }
  bool deserialize(Payload* p, void* data) override {
    static_cast<Bytes*>(data)->assign(p->data, p->data + p->length);
    return true;
  }
  std::function<uint32_t()> getSerializedSizeProvider(void* data) override {
    return [data] { return static_cast<uint32_t>(static_cast<Bytes*>(data)->size()); };
  }
  void* createData() override { return new Bytes; }
  void deleteData(void* data) override { delete static_cast<Bytes*>(data); }
  bool getKey(void*, Handle*, bool) override { return false; }
};

// ---- CDR: a number lies at a multiple of its size, counted behind the first four bytes

struct Reader {
  const Bytes& bytes;
  size_t at = 4;
  void get(void* out, size_t size) {
    at = 4 + (at - 4 + size - 1) / size * size;
    if (at + size > bytes.size()) {
      std::printf("peer: a message ends early\n");
      std::_Exit(1);
    }
    std::memcpy(out, &bytes[at], size);
    at += size;
  }
  uint32_t count() {
    uint32_t x;
    get(&x, 4);
    return x;
  }
  double number() {
    double x;
    get(&x, 8);
    return x;
  }
  std::string text() {
    const uint32_t n = count();
    const std::string s(reinterpret_cast<const char*>(&bytes[at]), n - 1);
    at += n;
    return s;
  }
  int64_t time() {
    const int64_t sec = count();
    return sec * 1000000000 + count();
  }
};

struct Writer {
  Bytes bytes{0, 1, 0, 0};
  void put(const void* x, size_t size) {
    while ((bytes.size() - 4) % size) bytes.push_back(0);
    const auto* b = static_cast<const unsigned char*>(x);
    bytes.insert(bytes.end(), b, b + size);
  }
  void count(uint32_t x) { put(&x, 4); }
  void number(double x) { put(&x, 8); }
  void text(const std::string& s) {
    count(static_cast<uint32_t>(s.size()) + 1);
    bytes.insert(bytes.end(), s.c_str(), s.c_str() + s.size() + 1);
  }
};

// ---- topics

struct Topics {
  DomainParticipant* participant =
      DomainParticipantFactory::get_instance()->create_participant(0, PARTICIPANT_QOS_DEFAULT);
  Subscriber* subscriber = participant->create_subscriber(SUBSCRIBER_QOS_DEFAULT);
  Publisher* publisher = participant->create_publisher(PUBLISHER_QOS_DEFAULT);
  Topic* topic(const char* name, const char* type) {
    TypeSupport(new Raw(type)).register_type(participant);
    return participant->create_topic(name, type, TOPIC_QOS_DEFAULT);
  }
  void read(const char* name, const char* type, bool reliable, DataReaderListener* listener) {
    DataReaderQos q = DATAREADER_QOS_DEFAULT;
    q.reliability().kind = reliable ? RELIABLE_RELIABILITY_QOS : BEST_EFFORT_RELIABILITY_QOS;
    q.history().kind = KEEP_LAST_HISTORY_QOS;
    q.history().depth = 1000;
    q.resource_limits().max_samples = 1000;
    subscriber->create_datareader(topic(name, type), q, listener);
  }
  DataWriter* write(const char* name, const char* type) {
    DataWriterQos q = DATAWRITER_QOS_DEFAULT;
    q.reliability().kind = RELIABLE_RELIABILITY_QOS;
    q.history().depth = 10;
    return publisher->create_datawriter(topic(name, type), q);
  }
};

/// Messages of one topic, one after the other.
struct Listener : DataReaderListener {
  std::atomic<long> messages{0};
  void on_data_available(DataReader* r) override {
    SampleInfo info;
    Bytes b;
    while (r->take_next_sample(&b, &info) == ReturnCode_t::RETCODE_OK)
      if (info.valid_data) {
        ++messages;
        take(b);
      }
  }
  virtual void take(const Bytes&) {}
};

struct Frames : Listener {
  std::atomic<double> height{0};  ///< of the first body [m]
  void take(const Bytes& b) override {
    Reader r{b};
    if (r.count() == 0) return;
    r.time();
    r.text();
    r.text();
    r.number();
    r.number();
    height = r.number();
  }
};

struct Wrenches : Listener {
  std::atomic<double> force{0};  ///< the largest so far [N]
  void take(const Bytes& b) override {
    Reader r{b};
    r.time();
    r.text();
    double sum = 0;
    for (int i = 0; i < 3; ++i) sum += std::pow(r.number(), 2);
    force = std::fmax(force, std::sqrt(sum));
  }
};

struct Joints : Listener {
  int64_t step_ns = 0;
  DataWriter* positions = nullptr;  ///< NULL: no commands
  std::vector<std::string> names;
  std::vector<double> target;
  std::atomic<int64_t> time{-1};
  std::atomic<long> gaps{0}, back{0};

  void take(const Bytes& b) override {
    Reader r{b};
    const int64_t now = r.time();
    r.text();
    const int64_t passed = now - time;
    // a world that is held repeats its state
    if (time >= 0 && passed > step_ns + step_ns / 2) gaps += passed / step_ns - 1;
    if (time >= 0 && passed < 0) ++back;
    time = now;
    std::vector<std::string> name(r.count());
    for (auto& n : name) n = r.text();
    std::vector<double> q(r.count());
    for (auto& x : q) x = r.number();
    if (target.empty()) {
      names = name;
      target = q;
    }
    if (positions) command();
  }
  void command() {
    Writer w;
    w.count(0);
    w.count(0);
    w.text("");
    w.count(static_cast<uint32_t>(names.size()));
    for (const auto& n : names) w.text(n);
    w.count(static_cast<uint32_t>(target.size()));
    for (const double x : target) w.number(x);
    w.count(0);
    w.count(0);
    positions->write(&w.bytes);
  }
};

struct Replies : Listener {
  std::mutex mutex;
  std::condition_variable came;
  int64_t number = -1;
  bool success = false;
  void take(const Bytes& b) override {
    Reader r{b};
    uint64_t client;
    int64_t n;
    unsigned char well;
    r.get(&client, 8);
    r.get(&n, 8);
    r.get(&well, 1);
    const std::lock_guard<std::mutex> lock(mutex);
    if (client == 42) {
      number = n;
      success = well != 0;
    }
    came.notify_all();
  }
  bool wait(int64_t n) {
    std::unique_lock<std::mutex> lock(mutex);
    return came.wait_for(lock, std::chrono::seconds(20), [&] { return number == n; }) && success;
  }
};

static bool call(DataWriter* writer, Replies* replies, int64_t number, bool data) {
  Writer w;
  const uint64_t client = 42;
  const unsigned char flag = data;
  w.put(&client, 8);
  w.put(&number, 8);
  w.put(&flag, 1);
  writer->write(&w.bytes);
  return replies->wait(number);
}

static void sleep_ms(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

static int fail(const char* what) {
  std::printf("peer: %s\n", what);
  std::fflush(stdout);
  std::_Exit(1);
}

int main(int argc, char** argv) {
  const double seconds = std::atof(argv[1]);
  Topics topics;
  Joints joints;
  Frames frames;
  Wrenches wrenches;
  Listener clock;
  Replies paused, reset;
  joints.step_ns = static_cast<int64_t>(std::atof(argv[2]) * 1e9 + 0.5);
  if (argc > 3)
    joints.positions = topics.write("rt/joint_commands", "sensor_msgs::msg::dds_::JointState_");
  DataWriter* pause = topics.write("rq/heft/pauseRequest", "std_srvs::srv::dds_::SetBool_Request_");
  DataWriter* restart =
      topics.write("rq/heft/resetRequest", "std_srvs::srv::dds_::Trigger_Request_");
  topics.read("rr/heft/pauseReply", "std_srvs::srv::dds_::SetBool_Response_", true, &paused);
  topics.read("rr/heft/resetReply", "std_srvs::srv::dds_::Trigger_Response_", true, &reset);
  topics.read("rt/clock", "rosgraph_msgs::msg::dds_::Clock_", false, &clock);
  topics.read("rt/tf", "tf2_msgs::msg::dds_::TFMessage_", true, &frames);
  topics.read("rt/contact_wrenches", "geometry_msgs::msg::dds_::WrenchStamped_", true, &wrenches);
  topics.read("rt/joint_states", "sensor_msgs::msg::dds_::JointState_", true, &joints);

  const auto end =
      std::chrono::steady_clock::now() + std::chrono::seconds(60 + 3 * static_cast<long>(seconds));
  while (joints.time < static_cast<int64_t>(seconds * 1e9)) {
    if (std::chrono::steady_clock::now() > end) fail("the world did not come so far");
    sleep_ms(5);
  }
  std::printf(
      "peer: %ld joint states, %ld missing, %ld frames, %ld wrenches, largest %.1f N, %ld clocks; "
      "the first body is at %.3f m\n",
      joints.messages.load(), joints.gaps.load(), frames.messages.load(), wrenches.messages.load(),
      wrenches.force.load(), clock.messages.load(), frames.height.load());
  std::fflush(stdout);
  const long gaps = joints.gaps;

  if (!call(pause, &paused, 1, true)) fail("no answer to pause");
  sleep_ms(50);
  const int64_t then = joints.time;
  sleep_ms(200);
  if (joints.time != then) fail("a paused world moves");
  if (!call(restart, &reset, 2, false)) fail("no answer to reset");
  if (!call(pause, &paused, 3, false)) fail("no answer to the end of the pause");
  sleep_ms(300);
  if (joints.back != 1 || joints.time >= then || joints.time <= 0)
    fail("the world did not begin again");
  std::printf("peer: paused, reset and running again\n");
  std::fflush(stdout);
  std::_Exit(gaps == 0 ? 0 : 1);
}
