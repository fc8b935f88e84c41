#include "runtime/devices/plugin/plugin_device.h"

#include <gtest/gtest.h>

using namespace ferrule::runtime;

static const char *load(void *, const ferrule_device_program *, void **) {
  return "never";
}
static void unload(void *, void *) {}
static const char *launch(void *, void *, ferrule_device_launch *) {
  return nullptr;
}

TEST(PluginDevice, RegistrationIsChecked) {
  EXPECT_EQ(ferrule_register_device(nullptr), FERRULE_INVALID_ARGUMENT);
  ferrule_device device = {};
  device.struct_size = sizeof device;
  device.name = "plugin-test";
  EXPECT_EQ(ferrule_register_device(&device), FERRULE_INVALID_ARGUMENT);
  EXPECT_STREQ(ferrule_error_message(),
               "a device needs a name, load, unload and launch");
  device.load = load, device.unload = unload, device.launch = launch;
  device.allocate = [](void *, size_t, size_t) -> void * { return nullptr; };
  EXPECT_EQ(ferrule_register_device(&device), FERRULE_INVALID_ARGUMENT);
  device.allocate = nullptr;
  EXPECT_EQ(ferrule_register_device(&device), FERRULE_OK);
  EXPECT_NE(findDevice("plugin-test"), nullptr);
  EXPECT_EQ(ferrule_register_device(&device), FERRULE_INVALID_ARGUMENT);
  EXPECT_STREQ(ferrule_error_message(),
               "a device named 'plugin-test' exists already");
  device.name = "cpu";
  EXPECT_EQ(ferrule_register_device(&device), FERRULE_INVALID_ARGUMENT);
}

TEST(PluginDevice, AnOlderStructIsShorter) {
  ferrule_device device = {};
  device.struct_size = offsetof(ferrule_device, allocate);
  device.name = "plugin-test-old";
  device.load = load, device.unload = unload, device.launch = launch;
  // What lies behind its end is not looked at.
  device.allocate = [](void *, size_t, size_t) -> void * { return nullptr; };
  EXPECT_EQ(ferrule_register_device(&device), FERRULE_OK);
  EXPECT_EQ(findDevice("plugin-test-old")->memory(), nullptr);
}

TEST(PluginDevice, WhatIsNoPluginIsRefused) {
  EXPECT_EQ(ferrule_load_plugin(nullptr), FERRULE_INVALID_ARGUMENT);
  EXPECT_EQ(ferrule_load_plugin("/none.so"), FERRULE_NOT_FOUND);
  EXPECT_EQ(ferrule_load_plugin("libm.so.6"), FERRULE_UNSUPPORTED);
}
